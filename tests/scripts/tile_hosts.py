"""Runs a survey in tiles on hosts of a network, and compares the checksums of its surface with that of one process.

tile_hosts.py CLI FOLDER; the hosts are network namespaces with host names, joined by a bridge, which only root can
make. Ends with 77 where that can't be done, or where mpirun or numpy is missing.
"""
import os
import pathlib
import shutil
import subprocess
import sys

try:
    import tile_survey
except ImportError:
    print("python3-numpy is not installed")
    sys.exit(77)

CLI, FOLDER = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).absolute()
NET, BRIDGE, HOSTS = "10.77.0", "scl-bridge", 4
if not shutil.which("mpirun") or not (CLI.parent / "scanloupe-mpi.so").exists():
    print("there is no mpirun, or this build has no MPI")
    sys.exit(77)


def ip(*words, check=True):
    return subprocess.run(["ip", *words], check=check, capture_output=not check).returncode == 0


def remove_hosts():
    for host in range(1, HOSTS + 1):
        ip("netns", "del", f"scl{host}", check=False)
    ip("link", "del", BRIDGE, check=False)


def make_hosts():
    ip("link", "add", BRIDGE, "type", "bridge")
    ip("addr", "add", f"{NET}.254/24", "dev", BRIDGE)
    ip("link", "set", BRIDGE, "up")
    for host in range(1, HOSTS + 1):
        name, outer = f"scl{host}", f"scl-veth{host}"
        ip("netns", "add", name)
        ip("link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("link", "set", outer, "master", BRIDGE, "up")
        ip("-n", name, "addr", "add", f"{NET}.{host}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "link", "set", "lo", "up")


def agent():
    """What mpirun calls instead of ssh: AGENT ADDRESS COMMAND..."""
    path = FOLDER / "agent.sh"
    path.write_text('#!/bin/sh\nnumber=${1##*.}\nshift\nexec ip netns exec "scl$number" unshare --uts '
                    'sh -c \'hostname "$1"; exec sh -c "$2"\' sh "host$number" "$*"\n')
    path.chmod(0o755)
    return path


if os.geteuid() != 0 or not shutil.which("ip") or not ip("netns", "add", "scl-try", check=False):
    print("network namespaces can't be made: root and iproute2 are needed")
    sys.exit(77)
ip("netns", "del", "scl-try")
tile_survey.write_survey(FOLDER / "survey", 6, 60_000)
remove_hosts()
try:
    try:
        make_hosts()
    except subprocess.CalledProcessError as error:
        print(f"a network can't be made here: {error}")
        sys.exit(77)
    environment = dict(tile_survey.ENVIRONMENT, OMPI_MCA_plm_rsh_agent=str(agent()), OMPI_MCA_btl="self,tcp",
                       OMPI_MCA_oob_tcp_if_include=f"{NET}.0/24", OMPI_MCA_btl_tcp_if_include=f"{NET}.0/24")

    def launcher(hosts):
        places = ",".join(f"{NET}.{host}:1" for host in range(1, hosts + 1))
        return ["mpirun", "-n", str(hosts), "--host", places] if hosts else []

    def run(out, size, hosts=0):
        return tile_survey.run(launcher(hosts) + tile_survey.tiles_command(CLI, FOLDER / "survey", out, size), out, environment)

    try:
        subprocess.run(launcher(HOSTS) + ["hostname"], env=environment, check=True, capture_output=True, timeout=60)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        print(f"mpirun can't start programs on the hosts here: {error}")
        sys.exit(77)
    expected = run(FOLDER / "one", 1000)[0]
    for size in (3, 8, 25):
        for hosts in (2, HOSTS):
            found, took, manifest = run(FOLDER / f"h{hosts}s{size}", size, hosts)
            assert found == expected, (size, hosts)
            print(f"tiles of {size} m, {hosts} hosts: {len(manifest['tiles'])} tiles, {took:.2f} s, "
                  f"{manifest['run']['points_read']} points read")
finally:
    remove_hosts()
