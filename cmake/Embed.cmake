# embed_files(TARGET DIR NAME EXTENSION)
# Compiles the text of every DIR/*.EXTENSION into TARGET as `const struct embedded_file
# embedded_NAME[]` (base/embedded.h), so that the program works where nothing is installed.
function(embed_files target dir name extension)
    file(GLOB files CONFIGURE_DEPENDS ${dir}/*.${extension})
    set(output ${PROJECT_BINARY_DIR}/embedded_${name}.c)
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAME=${name} "-DFILES=${files}"
                -P ${PROJECT_SOURCE_DIR}/cmake/WriteEmbedded.cmake
        DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/WriteEmbedded.cmake VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()
