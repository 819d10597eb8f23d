# One file per line, in order.
set(EINMAL_UNIT_HTTP_SOURCES
  http/application_test.cpp
  http/chunk_decoder_test.cpp
  http/cors_test.cpp
  http/cursor_test.cpp
  http/head_check_test.cpp
  http/headers_test.cpp
  http/openapi_test.cpp
  http/problem_pages_test.cpp
  http/problem_test.cpp
  http/rate_limit_test.cpp
  http/router_test.cpp
  http/routes_test.cpp
  http/target_test.cpp)
