# add_floor(NAME [ROOT dir] [FOLDERS folders...] [LINKS lower floors...] [PRIVATE libraries...])
# One static library of every source below ROOT (default src/NAME). A new module needs no line here.
# FOLDERS stand in the order in which they may include each other, which tests/floors.py checks.
function(add_floor name)
    cmake_parse_arguments(FLOOR "" "ROOT" "FOLDERS;LINKS;PRIVATE" ${ARGN})
    if(NOT FLOOR_ROOT)
        set(FLOOR_ROOT src/${name})
    endif()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${FLOOR_ROOT}/*.c)
    add_library(${name} STATIC ${sources})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}
                               PRIVATE ${PROJECT_BINARY_DIR})
    target_link_libraries(${name} PUBLIC ${FLOOR_LINKS} PRIVATE ${FLOOR_PRIVATE} Threads::Threads m)
    warpscape_flags(${name})
endfunction()

# The warnings, definitions and sanitizers that every target of the project is built with.
function(warpscape_flags target)
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE
                               WARPSCAPE_VERSION="${PROJECT_VERSION}")
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wstrict-prototypes
                           -Wmissing-prototypes -Wpointer-arith -Wcast-qual -Wwrite-strings
                           -Wvla -Wformat=2 -fno-common -ffp-contract=off)
    if(WARPSCAPE_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(WARPSCAPE_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${WARPSCAPE_SANITIZE}
                               -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_link_options(${target} PUBLIC -fsanitize=${WARPSCAPE_SANITIZE})
    endif()
endfunction()
