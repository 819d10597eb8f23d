# The answering side: routes and problems.
set(EINMAL_HTTP_ANSWER_SOURCES
  application.cpp authenticator.cpp cors.cpp cursor.cpp headers.cpp health_routes.cpp idempotency_routes.cpp
  list_routes.cpp metrics.cpp openapi.cpp openapi_schemas.cpp problem.cpp problem_catalog.cpp problem_examples.cpp
  problem_pages.cpp problem_texts_de.cpp problem_texts_en.cpp rate_limit.cpp request_ids.cpp resource_routes.cpp
  router.cpp routes.cpp target.cpp)
set(EINMAL_HTTP_ANSWER_LINK Boost::url prometheus-cpp::core)
