package serve

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// errAdmitted is returned after a request was answered with a redirect.
var errAdmitted = errors.New("redirected")

const cookieName = "blosc2-token"

// NewToken returns a token of 128 random bits.
func NewToken() string { return rand.Text() }

// admit checks the token, and the host that a request is addressed to. Checking the
// host keeps pages of other sites from reading a server on this machine under a
// name that they resolve to it. A token in the URL of a page becomes a cookie.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) error {
	if s.Hosts != nil && !slices.Contains(s.Hosts, hostOf(r.Host)) {
		return statusf(http.StatusMisdirectedRequest, "the server does not serve this host")
	}
	if s.Token == "" {
		return nil
	}
	q := r.URL.Query()
	if given := q.Get("token"); s.equalTokens(given) {
		if !strings.Contains(r.Header.Get("Accept"), "text/html") {
			return nil
		}
		http.SetCookie(w, &http.Cookie{Name: cookieName, Value: given, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		q.Del("token")
		to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: q.Encode()}
		http.Redirect(w, r, to.RequestURI(), http.StatusSeeOther)
		return errAdmitted
	}
	if c, err := r.Cookie(cookieName); err == nil && s.equalTokens(c.Value) {
		return nil
	}
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && s.equalTokens(given) {
		return nil
	}
	return statusf(http.StatusUnauthorized, "a token is required: open the address that the server printed, or send it as a bearer token")
}

// equalTokens reports whether two tokens are equal, in constant time.
func (s *Server) equalTokens(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(s.Token)) == 1
}

// hostOf returns a host without its port.
func hostOf(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return strings.Trim(host, "[]")
}
