//go:build amd64

package reliabilitytest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// In these tests one system call of a real process fails. The kernel stops the process
// at each call that concerns a file (seccomp's user notification) and notifies the
// test, which lets the call continue, or answers in its place: with an error, or after
// writing only half.

func init() { children["stopped"] = stopped }

// trapped lists the system calls at which the kernel stops the process.
var trapped = map[int32]string{
	unix.SYS_OPENAT: "open", unix.SYS_READ: "read", unix.SYS_PREAD64: "pread", unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "pwrite",
	unix.SYS_FSYNC: "fsync", unix.SYS_FTRUNCATE: "truncate", unix.SYS_FSTAT: "stat", unix.SYS_CLOSE: "close",
	unix.SYS_NEWFSTATAT: "statat", unix.SYS_COPY_FILE_RANGE: "copy", unix.SYS_RENAMEAT: "rename", unix.SYS_LINKAT: "link", unix.SYS_UNLINKAT: "unlink", unix.SYS_MKDIRAT: "mkdir", unix.SYS_FLOCK: "flock",
}

const notifySocket = 3 // file descriptor of the socket in the child

// refusal is the output of the child if the kernel does not stop its calls.
const refusal = "seccomp with user notification: "

// stopped runs the command of $BLOSC2_RELIABILITY_ARGS. The process at the other end of
// the socket answers all of its calls about files.
func stopped(string) error {
	runtime.LockOSThread()
	filter := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}} // load the number of the call
	for nr := range trapped {
		filter = append(filter, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: uint32(nr)},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF})
	}
	filter = append(filter, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	args := strings.Split(os.Getenv("BLOSC2_RELIABILITY_ARGS"), "\n")
	if err := os.Setenv(childKind, os.Getenv("BLOSC2_RELIABILITY_THEN")); err != nil {
		return err
	}
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return fmt.Errorf("%s%w", refusal, errno)
	}
	if err := unix.Sendmsg(notifySocket, []byte{0}, unix.UnixRights(int(fd)), nil, 0); err != nil {
		return err
	}
	return syscall.Exec(args[0], args, os.Environ())
}

// A notice is the kernel's notification of a call.
type notice struct {
	id    uint64
	pid   uint32
	flags uint32
	nr    int32
	arch  uint32
	ip    uint64
	args  [6]uint64
}

type answer struct {
	id    uint64
	val   int64
	errno int32
	flags uint32
}

// A fault is a failure that begins with the k-th call of its kind.
type fault struct {
	errno   syscall.Errno
	only    func(call string) bool
	forever bool // all calls from the k-th on fail, not only the k-th
	half    bool // the k-th call writes half, and the one after it fails
}

// faulty runs a command whose calls about files in a folder fail according to the
// fault, beginning with the k-th; none fails if k < 0. It returns the calls to which
// the fault applies, as text. These are more than k if one failed.
func faulty(t *testing.T, dir string, f fault, k int, then string, args ...string) (calls []string, output string, err error) {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	must(t, err)
	ours, theirs := pair[0], os.NewFile(uintptr(pair[1]), "socket")
	defer unix.Close(ours)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childKind+"=stopped", childFile+"="+dir, "BLOSC2_RELIABILITY_THEN="+then,
		"BLOSC2_RELIABILITY_ARGS="+strings.Join(args, "\n"), "TMPDIR="+dir, "GOMAXPROCS=1")
	cmd.ExtraFiles = []*os.File{theirs}
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	must(t, cmd.Start())
	theirs.Close()
	listener, err := receive(ours)
	if err != nil {
		cmd.Wait()
		return nil, text.String(), fmt.Errorf("no system call can be stopped: %w", err)
	}
	defer unix.Close(listener)
	s := &supervisor{listener: listener, pid: cmd.Process.Pid, dir: dir, fault: f, k: k}
	s.run(t)
	err = cmd.Wait()
	return s.calls, text.String(), err
}

// receive takes a file descriptor from a socket.
func receive(socket int) (fd int, err error) {
	oob := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(socket, make([]byte, 1), oob, 0)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, fmt.Errorf("the child has ended")
	}
	messages, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil {
		return 0, err
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return 0, err
	}
	return fds[0], nil
}

// A supervisor answers the system calls of a process.
type supervisor struct {
	listener, pid int
	dir           string
	fault         fault
	k             int
	calls         []string
}

// run answers calls until the process has ended.
func (s *supervisor) run(t *testing.T) {
	for {
		poll := []unix.PollFd{{Fd: int32(s.listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(poll, -1); err == unix.EINTR {
			continue
		}
		if poll[0].Revents&unix.POLLIN == 0 {
			return
		}
		var n notice
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); errno != 0 {
			continue // the process was killed before its call was answered
		}
		a := answer{id: n.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		s.judge(t, &n, &a)
		unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&a)))
	}
}

// judge decides what happens to a call.
func (s *supervisor) judge(t *testing.T, n *notice, a *answer) {
	call := trapped[n.nr]
	path := s.path(n, call)
	if !strings.HasPrefix(path, s.dir) || s.fault.only != nil && !s.fault.only(call) {
		return
	}
	at := len(s.calls)
	s.calls = append(s.calls, call+strings.TrimPrefix(path, s.dir))
	switch {
	case s.k < 0 || at < s.k || at > s.k && !s.fault.forever && !(s.fault.half && at == s.k+1):
	case at == s.k && s.fault.half && s.half(n, call) > 0:
		val, err := s.writeHalf(n, call)
		must(t, err)
		a.flags, a.val = 0, int64(val)
	default:
		a.flags, a.errno = 0, -int32(s.fault.errno)
	}
}

// path returns the name of the file that a call is about.
func (s *supervisor) path(n *notice, call string) string {
	switch call {
	case "open", "statat", "unlink", "mkdir", "rename", "link":
		at := n.args[1]
		if call == "link" { // the old name may be that of a descriptor
			at = n.args[3]
		}
		b := make([]byte, 4096)
		if !s.peek(b, at) {
			return ""
		}
		if i := bytes.IndexByte(b, 0); i >= 0 {
			b = b[:i]
		}
		return string(b)
	}
	fd := int32(n.args[0])
	if call == "copy" {
		fd = int32(n.args[2])
	}
	path, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", s.pid, fd))
	return strings.TrimSuffix(path, " (deleted)")
}

// peek reads the memory of the process, as far as it is mapped.
func (s *supervisor) peek(b []byte, at uint64) bool {
	mem, err := os.Open(fmt.Sprintf("/proc/%d/mem", s.pid))
	if err != nil {
		return false
	}
	defer mem.Close()
	n, _ := mem.ReadAt(b, int64(at))
	return n > 0
}

// half returns how many bytes of a write to write. If all later calls fail, a sector of
// 512 bytes is written entirely or not at all.
func (s *supervisor) half(n *notice, call string) uint64 {
	half := n.args[2] / 2
	if s.fault.forever && call == "pwrite" {
		off := n.args[3]
		half = max((off+half)&^511, off) - off
	}
	return half
}

// writeHalf writes the first half of the process's write.
func (s *supervisor) writeHalf(n *notice, call string) (int, error) {
	b := make([]byte, s.half(n, call))
	if !s.peek(b, n.args[1]) {
		return 0, fmt.Errorf("nothing to write at %#x", n.args[1])
	}
	pidfd, err := unix.PidfdOpen(s.pid, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(pidfd)
	fd, err := unix.PidfdGetfd(pidfd, int(n.args[0]), 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	if call == "pwrite" {
		return unix.Pwrite(fd, b, int64(n.args[3]))
	}
	return unix.Write(fd, b)
}
