set(EINMAL_UNIT_ENGINE_SOURCES
  engine/key_test.cpp engine/fingerprint_test.cpp engine/precondition_test.cpp engine/patch_test.cpp
  engine/decide_test.cpp engine/id_test.cpp engine/running_test.cpp)
