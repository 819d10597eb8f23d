# Runs the contract suite on stores that forget keys (EINMAL_TEST_CANARY=1) and demands that the tests which guard the
# promise of this project notice it, on each kind of store. Run with -DBINARY=<the suite>.
set(must_notice
  SameRequestUnderItsKeyIsAReplay
  OtherBodyUnderTheSameKeyIsAMismatchAndDoesNothing
  ReplayHasNoEffectOfAnyKind
  RepeatedDeleteIsASuccessUntilItsKeyExpires
  ManyAtOnceUnderOneKeyHaveOneEffect
  WhoeverPrefersToWaitGetsTheReplay
  OperationNobodyWaitsForStillCompletes
  RecordAnswersUntilTheInstantOfItsExpiry
  LookUpCountsReplaysAndNothingElse
  DoubtAboutACommitThatHappenedIsClarified)

function(run_suite)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env EINMAL_TEST_CANARY=1 "${BINARY}" ${ARGN}
    OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
  set(output "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()

run_suite("--gtest_filter=*.SameRequestUnderItsKeyIsAReplay/*" --gtest_list_tests)
string(REGEX MATCHALL "SameRequestUnderItsKeyIsAReplay/[a-z]+" listed "${output}")
list(LENGTH listed store_count)
if(store_count LESS 2)
  message(FATAL_ERROR "the suite runs over ${store_count} kinds of store:\n${output}")
endif()

foreach(name IN LISTS listed)
  string(REGEX REPLACE ".*/" "" store "${name}")
  foreach(test IN LISTS must_notice)
    run_suite("--gtest_filter=Stores/Contract.${test}/${store}")
    # A test that does not exist would not fail either, and a crash is not an answer: the verdict itself must be there.
    if(result EQUAL 0 OR NOT output MATCHES "FAILED  \\] Stores/Contract[.]${test}/${store}")
      message(SEND_ERROR "${test} did not notice that the ${store} store forgets keys (${result}):\n${output}")
    endif()
  endforeach()
endforeach()
