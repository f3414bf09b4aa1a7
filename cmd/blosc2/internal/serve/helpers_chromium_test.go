package serve

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A browser is a Chromium without a window, driven by its DevTools protocol
// through two pipes.
type browser struct {
	t       *testing.T
	in      *os.File
	mu      sync.Mutex
	last    int
	answers map[int]chan message
	events  chan message
	session string
}

type message struct {
	ID        int             `json:"id,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    any             `json:"params,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// patience is the time limit for a step of the browser.
const patience = 30 * time.Second

// newBrowser starts a Chromium and opens a page.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			program = p
			break
		}
	}
	if program == "" {
		b2test.Missing(t, "chromium")
	}
	theirIn, ourIn, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ourOut, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "--window-size=1200,800", "about:blank")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &browser{t: t, in: ourIn, answers: map[int]chan message{}, events: make(chan message, 1024)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		b.read(ourOut)
	}()
	t.Cleanup(func() {
		b.session = ""
		b.send("Browser.close", nil)
		ended := make(chan struct{})
		go func() { cmd.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			cmd.Process.Kill()
			<-ended
		}
		ourIn.Close()
		ourOut.Close()
		<-read
	})
	var target struct {
		TargetID string `json:"targetId"`
	}
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct {
		SessionID string `json:"sessionId"`
	}
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	b.session = session.SessionID
	b.call("Page.enable", nil, nil)
	b.call("Runtime.enable", nil, nil)
	b.call("Log.enable", nil, nil)
	return b
}

// read distributes the browser's messages.
func (b *browser) read(from *os.File) {
	r := bufio.NewReader(from)
	for {
		line, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m struct {
			message
			Params json.RawMessage `json:"params"`
		}
		if json.Unmarshal(line[:len(line)-1], &m) != nil {
			continue
		}
		m.message.Params = m.Params
		b.mu.Lock()
		answer := b.answers[m.ID]
		delete(b.answers, m.ID)
		b.mu.Unlock()
		if answer != nil {
			answer <- m.message
			continue
		}
		select {
		case b.events <- m.message:
		default: // further messages are never examined
		}
	}
}

func (b *browser) send(method string, params any) chan message {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	answer := make(chan message, 1)
	b.answers[b.last] = answer
	line, err := json.Marshal(message{ID: b.last, Method: method, Params: params, SessionID: b.session})
	if err != nil {
		panic(err)
	}
	b.in.Write(append(line, 0))
	return answer
}

// call runs a method of the protocol.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	select {
	case m := <-b.send(method, params):
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatalf("%s: %v", method, err)
			}
		}
	case <-time.After(patience):
		b.t.Fatalf("%s: no answer from the browser", method)
	}
}

// eval returns the value of an expression, which may be a promise.
func eval[T any](b *browser, format string, args ...any) (v T) {
	b.t.Helper()
	var r struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	text := fmt.Sprintf(format, args...)
	b.call("Runtime.evaluate", map[string]any{"expression": text, "awaitPromise": true, "returnByValue": true}, &r)
	if r.Exception != nil {
		b.t.Fatalf("%s: %s %s", text, r.Exception.Text, r.Exception.Exception.Description)
	}
	if len(r.Result.Value) > 0 {
		if err := json.Unmarshal(r.Result.Value, &v); err != nil {
			b.t.Fatalf("%s: %v", text, err)
		}
	}
	return v
}

// wait waits until an expression is true.
func (b *browser) wait(format string, args ...any) {
	b.t.Helper()
	text := fmt.Sprintf(format, args...)
	for begun := time.Now(); !eval[bool](b, "!!(%s)", text); time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > patience {
			b.shot("failed")
			b.t.Fatalf("never true: %s\n%s\npage: %.300s", text, b.complaints(), eval[string](b, "document.body.innerText"))
		}
	}
}

// open navigates to an address and waits until the page shows something.
func (b *browser) open(url string) {
	b.t.Helper()
	eval[any](b, "window.old = true")
	b.call("Page.navigate", map[string]any{"url": url}, nil)
	b.wait("!window.old && document.documentElement?.dataset.shown")
}

// does runs an action and waits until the page has drawn again.
func (b *browser) does(action func()) {
	b.t.Helper()
	before := eval[string](b, "document.documentElement.dataset.shown || '0'")
	action()
	b.wait("Number(document.documentElement.dataset.shown) > %s", before)
}

// key presses a key.
func (b *browser) key(key string) {
	b.t.Helper()
	codes := map[string]int{"Tab": 9, "Enter": 13, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Escape": 27}
	p := map[string]any{"type": "keyDown", "key": key}
	if n, ok := codes[key]; ok {
		p["windowsVirtualKeyCode"] = n
		p["code"] = key
	} else {
		p["text"] = key
	}
	if key == "Enter" {
		p["text"] = "\r"
	}
	b.call("Input.dispatchKeyEvent", p, nil)
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
}

// mouse sends a mouse event.
func (b *browser) mouse(kind string, x, y float64, more ...any) {
	b.t.Helper()
	p := map[string]any{"type": kind, "x": x, "y": y}
	for i := 0; i+1 < len(more); i += 2 {
		p[more[i].(string)] = more[i+1]
	}
	b.call("Input.dispatchMouseEvent", p, nil)
}

// shot saves a picture of the page in the folder that BLOSC2_SCREENSHOTS names, if
// it is set.
func (b *browser) shot(name string) {
	b.t.Helper()
	dir := os.Getenv("BLOSC2_SCREENSHOTS")
	if dir == "" {
		return
	}
	var r struct {
		Data string `json:"data"`
	}
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &r)
	data, err := base64.StdEncoding.DecodeString(r.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), data, 0o666)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// complaints returns the errors that the page has logged.
func (b *browser) complaints() (all []string) {
	for {
		select {
		case m := <-b.events:
			text := string(m.Params.(json.RawMessage))
			if m.Method == "Runtime.exceptionThrown" || m.Method == "Log.entryAdded" && strings.Contains(text, `"level":"error"`) {
				all = append(all, text)
			}
		default:
			return all
		}
	}
}
