# Installs the programs and their files, and configures the .deb and the bundle.
include(GNUInstallDirs)

set(linux "${PROJECT_SOURCE_DIR}/packaging/linux")
install(TARGETS scanloupe-cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/schemas" DESTINATION "${CMAKE_INSTALL_DATADIR}/scanloupe")
install(DIRECTORY "${PROJECT_BINARY_DIR}/docs/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${PROJECT_BINARY_DIR}/docs/bash/scanloupe-cli"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${PROJECT_BINARY_DIR}/docs/zsh/_scanloupe-cli" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES "${PROJECT_BINARY_DIR}/docs/fish/scanloupe-cli.fish"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
if(SCANLOUPE_GUI)
    install(TARGETS scanloupe RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    install(FILES "${linux}/scanloupe.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
    install(FILES "${linux}/scanloupe.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
    install(FILES "${linux}/scanloupe-mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" RENAME scanloupe.xml)
    install(FILES "${PROJECT_SOURCE_DIR}/resources/icons/scanloupe.svg"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
endif()
set(scanloupe_has_cuda "${SCANLOUPE_HAS_CUDA}" CACHE INTERNAL "Read by packaging/common.sh")
if(SCANLOUPE_HAS_CUDA) # programs start it: see compile_apart.cpp
    install(TARGETS scanloupe-nvrtc RUNTIME DESTINATION libexec/scanloupe)
endif()
if(SCANLOUPE_HAS_MPI) # cmake --install build --component mpi: packages don't depend on MPI
    install(TARGETS scanloupe_mpi LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/scanloupe" COMPONENT mpi EXCLUDE_FROM_ALL)
endif()
set(shipped "")
if(LASzip_FOUND AND LASzip_PRIVATE) # no package of this distribution has it
    get_filename_component(library "${LASzip_LIBRARY}" REALPATH)
    get_filename_component(folder "${library}" DIRECTORY)
    install(FILES "${library}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/scanloupe" RENAME liblaszip.so.8)
    set(shipped "${PROJECT_BINARY_DIR}/shipped.txt")
    file(WRITE "${shipped}" "${CMAKE_INSTALL_LIBDIR}/scanloupe/liblaszip.so.8 ${library}\n")
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${folder}")
    set(programs scanloupe-cli)
    if(SCANLOUPE_GUI)
        list(APPEND programs scanloupe)
    endif()
    set_target_properties(${programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/scanloupe")
endif()

set(toolkit "")
if(SCANLOUPE_HAS_CUDA) # nvcc may be a script that calls the real one: CMake asked it
    get_filename_component(toolkit "${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}" REALPATH)
endif()
set(scanloupe_cuda_toolkit "${toolkit}" CACHE INTERNAL "where the licence of CUDA is") # for bundle.sh
install(CODE "
    execute_process(
        COMMAND bash \"${PROJECT_SOURCE_DIR}/packaging/licences.sh\"
            \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/licences\" \"${shipped}\" \"${toolkit}\"
        RESULT_VARIABLE failed)
    if(failed)
        message(WARNING \"licences of libraries are not installed along, so that this must not be passed on\")
    endif()")

find_program(SCANLOUPE_SHLIBDEPS dpkg-shlibdeps)
find_program(SCANLOUPE_FILE file)
if(SCANLOUPE_SHLIBDEPS AND SCANLOUPE_FILE) # without them a .deb would name no libraries
    set(CPACK_GENERATOR DEB)
else()
    set(CPACK_GENERATOR TGZ)
endif()
set(CPACK_PACKAGE_NAME scanloupe)
set(CPACK_PACKAGE_CONTACT "The Scanloupe developers <scanloupe@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Shows a point cloud as voxels, as a marching-cubes surface and as a software-rasterized
picture, side by side, and follows its sliders while they are moved. With a command line that does the same.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # libraries by what the programs link
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
include(CPack)

add_custom_target(bundle
    COMMAND bash "${PROJECT_SOURCE_DIR}/packaging/bundle.sh" "${PROJECT_BINARY_DIR}/scanloupe.tar.xz"
    USES_TERMINAL VERBATIM COMMENT "Making the relocatable bundle")
