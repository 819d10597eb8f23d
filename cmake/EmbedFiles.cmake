# Text files compiled into a library, so that an installed program needs none beside it.
#
#   include(EmbedFiles)
#   einmal_embed(types_cpp einmal::engine::builtin_types "${PROJECT_SOURCE_DIR}/types/contacts.json" …)
#   einmal_library(engine SOURCES catalog.cpp "${types_cpp}")
#
# einmal_embed(<out_cpp_variable> <symbol> <files...>) stores in <out_cpp_variable> the path of a source file that is made
# at build time, again whenever one of the files changes. It defines, in the namespace of <symbol>,
#
#   std::span<const einmal::base::EmbeddedFile> builtin_types();   // base/embedded.hpp; in the order of <files>
#
# which whoever uses it declares in a header of its own. The name of an entry is the file's name without its folder.
# The target that compiles the source must belong to the folder that calls the function.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(EINMAL_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

  function(einmal_embed out_cpp_variable symbol)
    string(REPLACE "::" "_" stem "${symbol}")
    set(output "${CMAKE_CURRENT_BINARY_DIR}/${stem}.cpp")
    add_custom_command(OUTPUT "${output}"
      COMMAND "${CMAKE_COMMAND}" "-DSYMBOL=${symbol}" "-DOUTPUT=${output}" -P "${EINMAL_EMBED_SCRIPT}" -- ${ARGN}
      DEPENDS ${ARGN} "${EINMAL_EMBED_SCRIPT}"
      COMMENT "Embedding ${symbol}" VERBATIM)
    set(${out_cpp_variable} "${output}" PARENT_SCOPE)
  endfunction()

  return()
endif()

# From here on: the script that the build runs, `cmake -DSYMBOL=… -DOUTPUT=… -P EmbedFiles.cmake -- <files...>`.
string(REGEX MATCH "^(.*)::([a-z0-9_]+)$" matched "${SYMBOL}")
if(NOT matched)
  message(FATAL_ERROR "einmal_embed: the symbol '${SYMBOL}' must be namespace::name")
endif()
set(namespace "${CMAKE_MATCH_1}")
set(function "${CMAKE_MATCH_2}")

set(entries "")
set(is_file FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  set(argument "${CMAKE_ARGV${index}}")
  if(is_file)
    get_filename_component(name "${argument}" NAME)
    file(READ "${argument}" text)
    string(FIND "${text}" ")einmal\"" end_mark)
    if(NOT end_mark EQUAL -1)
      message(FATAL_ERROR "einmal_embed: ${argument} holds the text that ends a literal")
    endif()
    string(APPEND entries "    {\"${name}\", R\"einmal(${text})einmal\"},\n")
  elseif(argument STREQUAL "--")
    set(is_file TRUE)
  endif()
endforeach()

file(WRITE "${OUTPUT}" "// Made by cmake/EmbedFiles.cmake at build time; change the embedded files instead.
#include \"base/embedded.hpp\"

#include <span>

namespace ${namespace} {

std::span<const einmal::base::EmbeddedFile> ${function}();

namespace {
constexpr einmal::base::EmbeddedFile files[] = {
${entries}};
}  // namespace

std::span<const einmal::base::EmbeddedFile> ${function}() { return files; }

}  // namespace ${namespace}
")
