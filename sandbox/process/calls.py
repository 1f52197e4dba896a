"""The system calls that a tool may make, by their numbers on x86-64 and on aarch64 (`-`: none).

What is not here is refused: watching files (inotify, fanotify), tracing and the memory of others,
keys, BPF, io_uring, userfaultfd, namespaces and mounts, memory and queues that outlive a process,
files by handle, other users, clocks, modules. `clone`, `socket`, `setsockopt`, `fcntl`, `flock`
and pairs of sockets have rules of their own (`seccomp.py`).
"""

# fmt: off
FILES = """
    read 0/63, write 1/64, readv 19/65, writev 20/66, pread64 17/67, pwrite64 18/68, preadv 295/69,
    pwritev 296/70, preadv2 327/286, pwritev2 328/287, open 2/-, openat 257/56, openat2 437/437,
    creat 85/-, close 3/57, close_range 436/436, lseek 8/62, dup 32/23, dup2 33/-, dup3 292/24,
    pipe 22/-, pipe2 293/59, fsync 74/82, fdatasync 75/83, sync_file_range 277/84,
    truncate 76/45, ftruncate 77/46, fallocate 285/47, fadvise64 221/223, readahead 187/213,
    sendfile 40/71, splice 275/76, tee 276/77, vmsplice 278/75, copy_file_range 326/285, stat 4/-,
    fstat 5/80, lstat 6/-, newfstatat 262/79, statx 332/291, statfs 137/43, fstatfs 138/44,
    access 21/-, faccessat 269/48, faccessat2 439/439, getdents 78/-, getdents64 217/61,
    getcwd 79/17, chdir 80/49, fchdir 81/50, rename 82/-, renameat 264/38, renameat2 316/276,
    mkdir 83/-, mkdirat 258/34, rmdir 84/-, link 86/-, linkat 265/37, unlink 87/-, unlinkat 263/35,
    symlink 88/-, symlinkat 266/36, readlink 89/-, readlinkat 267/78, chmod 90/-, fchmod 91/52,
    fchmodat 268/53, fchmodat2 452/452, chown 92/-, fchown 93/55, lchown 94/-, fchownat 260/54,
    utime 132/-, utimes 235/-, futimesat 261/-, utimensat 280/88, umask 95/166, mknod 133/-,
    mknodat 259/33, ioctl 16/29
"""
"""Landlock and the mounts say which."""
ATTRIBUTES = """
    setxattr 188/5, lsetxattr 189/6, fsetxattr 190/7, getxattr 191/8, lgetxattr 192/9,
    fgetxattr 193/10, listxattr 194/11, llistxattr 195/12, flistxattr 196/13, removexattr 197/14,
    lremovexattr 198/15, fremovexattr 199/16
"""
"""Landlock asks nobody who reads them, of any file; who copies files takes it that a disk has
none."""
WAITING = """
    poll 7/-, ppoll 271/73, select 23/-, pselect6 270/72, epoll_create 213/-, epoll_create1 291/20,
    epoll_ctl 233/21, epoll_wait 232/-, epoll_pwait 281/22, epoll_pwait2 441/441, eventfd 284/-,
    eventfd2 290/19, signalfd 282/-, signalfd4 289/74, timerfd_create 283/85,
    timerfd_settime 286/86, timerfd_gettime 287/87, alarm 37/-, pause 34/-, getitimer 36/102,
    setitimer 38/103, timer_create 222/107, timer_settime 223/110, timer_gettime 224/108,
    timer_getoverrun 225/109, timer_delete 226/111, nanosleep 35/101, clock_nanosleep 230/115,
    clock_gettime 228/113, clock_getres 229/114, gettimeofday 96/169, time 201/-, times 100/153,
    wait4 61/260, waitid 247/95
"""
"""For descriptors, children and the clock."""
MEMORY = """
    mmap 9/222, munmap 11/215, mremap 25/216, mprotect 10/226, brk 12/214, madvise 28/233,
    msync 26/227, mlock 149/228, mlock2 325/284, munlock 150/229, mlockall 151/230,
    munlockall 152/231, membarrier 324/283, pkey_mprotect 329/288, pkey_alloc 330/289,
    pkey_free 331/290, get_mempolicy 239/236
"""
"""Of its own."""
THREADS = """
    futex 202/98, futex_waitv 449/449, set_robust_list 273/99, get_robust_list 274/100,
    set_tid_address 218/96, rseq 334/293, gettid 186/178, getpid 39/172, getppid 110/173,
    getpgid 121/155, getpgrp 111/-, setpgid 109/154, getsid 124/156, setsid 112/157, exit 60/93,
    exit_group 231/94, kill 62/129, tkill 200/130, tgkill 234/131, rt_sigaction 13/134,
    rt_sigprocmask 14/135, rt_sigreturn 15/139, rt_sigpending 127/136, rt_sigtimedwait 128/137,
    rt_sigsuspend 130/133, rt_sigqueueinfo 129/138, rt_tgsigqueueinfo 297/240, sigaltstack 131/132,
    restart_syscall 219/128, arch_prctl 158/-, prctl 157/167, sched_yield 24/124,
    sched_getaffinity 204/123, sched_setaffinity 203/122, sched_getparam 143/121,
    sched_getscheduler 145/120, sched_get_priority_max 146/125, sched_get_priority_min 147/126,
    sched_rr_get_interval 148/127, getpriority 140/141, setpriority 141/140, getrlimit 97/163,
    setrlimit 160/164, prlimit64 302/261, getrusage 98/165, getcpu 309/168, getuid 102/174,
    geteuid 107/175, getgid 104/176, getegid 108/177, getresuid 118/148, getresgid 120/150,
    getgroups 115/158, capget 125/90, uname 63/160, sysinfo 99/179, getrandom 318/278
"""
"""And what a process asks of itself; signals end at its namespace."""
PAIRS = """
    connect 42/203, sendto 44/206, recvfrom 45/207, sendmsg 46/211, recvmsg 47/212,
    sendmmsg 307/269, recvmmsg 299/243, shutdown 48/210, getsockopt 55/209, getsockname 51/204,
    getpeername 52/205
"""
"""What works on a pair of streams, too."""
NETWORK = """
    bind 49/200, listen 50/201, accept 43/202, accept4 288/242
"""
"""Only where the user opened it."""
PROCESSES = """
    fork 57/-, vfork 58/-, execve 59/221, execveat 322/281, pidfd_open 434/434,
    pidfd_send_signal 424/424
"""
"""Only where the user allowed them."""
# fmt: on


def numbers(*groups: str) -> dict[str, frozenset[int]]:
    """The numbers of these calls, by machine."""
    both = [each.split()[1].split("/") for group in groups for each in group.split(",")]
    x86, arm = (frozenset(int(n) for n in side if n != "-") for side in zip(*both, strict=True))
    return {"x86_64": x86, "aarch64": arm}
