# fingerprint_floors(TARGET FLOORS...)
# Compiles into TARGET `evaluator_fingerprint` (explore/plan/stage_key.h): a digest of every source that
# decides what an evaluation answers. It changes with the code, so that results that other code has
# remembered are never taken for this one's.
function(fingerprint_floors target)
    set(files "")
    foreach(floor IN LISTS ARGN)
        file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${floor}/*.[ch]
             ${PROJECT_SOURCE_DIR}/src/${floor}/*.csv)
        list(APPEND files ${sources})
    endforeach()
    set(output ${PROJECT_BINARY_DIR}/evaluator_fingerprint.c)
    string(REPLACE ";" "\n" list "${files}")
    file(CONFIGURE OUTPUT ${output}.files CONTENT "${list}\n" @ONLY)
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DROOT=${PROJECT_SOURCE_DIR}
                -P ${PROJECT_SOURCE_DIR}/cmake/WriteFingerprint.cmake
        DEPENDS ${files} ${output}.files ${PROJECT_SOURCE_DIR}/cmake/WriteFingerprint.cmake
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()
