package blosc2

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log/slog"
	"strings"
	"testing"
)

// Every id survives a round trip, by its name or its number.
func TestIDText(t *testing.T) {
	for n := range 256 {
		var c CodecID
		var f FilterID
		for _, text := range []string{string(must(CodecID(n).MarshalText())), strings.ToUpper(string(must(CodecID(n).MarshalText()))), CodecID(n).String()} {
			if err := c.UnmarshalText([]byte(text)); err != nil || c != CodecID(n) {
				t.Errorf("%s: %d, %v", text, c, err)
			}
		}
		for _, text := range []string{string(must(FilterID(n).MarshalText())), FilterID(n).String()} {
			if err := f.UnmarshalText([]byte(text)); err != nil || f != FilterID(n) {
				t.Errorf("%s: %d, %v", text, f, err)
			}
		}
		var s SplitMode
		text, err := SplitMode(n).MarshalText()
		if n > int(SplitForward) {
			if !errors.Is(err, ErrOption) {
				t.Errorf("split mode %d: %q, %v", n, text, err)
			}
			continue
		}
		if err := s.UnmarshalText(text); err != nil || s != SplitMode(n) || string(text) != s.String() {
			t.Errorf("%s: %d, %v", text, s, err)
		}
	}
	for _, bad := range []string{"", "lz5", "256", "-1", "codec", "0x5", "codec lz4", " lz4"} {
		c, f, s := CodecID(7), FilterID(7), SplitMode(2)
		for _, err := range []error{c.UnmarshalText([]byte(bad)), f.UnmarshalText([]byte(bad)), s.UnmarshalText([]byte(bad))} {
			var oe *OptionError
			if !errors.As(err, &oe) || !strings.Contains(oe.Range, ", ") {
				t.Errorf("%q: %v", bad, err)
			}
		}
		if c != 7 || f != 7 || s != 2 {
			t.Errorf("%q changed what was there", bad)
		}
	}
	want := `blosc2: codec "lz5": must be a number up to 255 or one of blosclz, lz4, lz4hc, snappy, zlib, zstd, lizard, ndlz, zfp_acc, zfp_prec, zfp_rate, openhtj2k, grok, openzl, j2k, htj2k`
	if err := new(CodecID).UnmarshalText([]byte("lz5")); err.Error() != want {
		t.Error(err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// In flags, JSON and logs, codecs and filters have their names.
func TestIDTextUses(t *testing.T) {
	type settings struct {
		Codec  CodecID
		Filter FilterID
		Split  SplitMode
		Levels map[CodecID]int
	}
	s := settings{CodecZstd, FilterDelta, SplitNever, map[CodecID]int{CodecLZ4: 5, 200: 1}}
	b := must(json.Marshal(s))
	if want := `{"Codec":"zstd","Filter":"delta","Split":"never","Levels":{"200":1,"lz4":5}}`; string(b) != want {
		t.Errorf("%s, want %s", b, want)
	}
	var again settings
	if err := json.Unmarshal(b, &again); err != nil || again.Codec != s.Codec || again.Levels[200] != 1 || again.Split != SplitNever {
		t.Error(again, err)
	}
	var codec CodecID
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.TextVar(&codec, "codec", CodecLZ4, "")
	if err := flags.Parse([]string{"-codec", "zstd"}); err != nil || codec != CodecZstd {
		t.Error(codec, err)
	}
	var log bytes.Buffer
	drop := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey {
			return slog.Attr{}
		}
		return a
	}
	slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: drop})).Info("", "codec", CodecID(200), "filter", FilterShuffle, "split", SplitAuto)
	if got := log.String(); got != "codec=\"codec 200\" filter=shuffle split=auto\n" {
		t.Error(got)
	}
}
