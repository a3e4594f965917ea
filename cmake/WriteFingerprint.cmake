# Run by fingerprint_floors: writes OUTPUT from the files that OUTPUT.files lists.
file(STRINGS ${OUTPUT}.files files)
list(SORT files)
set(all "")
foreach(file IN LISTS files)
    file(SHA256 ${file} hash)
    file(RELATIVE_PATH name ${ROOT} ${file})
    string(APPEND all "${name} ${hash}\n")
endforeach()
string(SHA256 digest "${all}")
file(WRITE ${OUTPUT} "#include \"explore/plan/stage_key.h\"\n\n\
const char evaluator_fingerprint[] = \"${digest}\";\n")
