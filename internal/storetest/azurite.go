package storetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// These are the name and the key of azurite's account, which are always the same.
const (
	AzureAccount = "devstoreaccount1"
	AzureKey     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

// Azurite starts azurite, a server that speaks the protocol of Azure, and returns
// its URL. It has no container.
func Azurite(t testing.TB) string {
	t.Helper()
	program, err := exec.LookPath("azurite-blob")
	if err != nil {
		home, _ := os.UserHomeDir()
		if program, err = exec.LookPath(filepath.Join(home, ".cache", "azurite", "node_modules", ".bin", "azurite-blob")); err != nil {
			b2test.Missing(t, "azurite is missing: npm install --prefix ~/.cache/azurite azurite")
		}
	}
	address := FreeAddress(t)
	host, port, _ := strings.Cut(address, ":")
	StartProgram(t, "http://"+address, exec.Command(program, "--blobHost", host, "--blobPort", port, "--location", t.TempDir(),
		"--skipApiVersionCheck", "--silent", "--disableTelemetry"))
	return "http://" + address
}

// AzureConnection returns the connection string for a server started by Azurite.
func AzureConnection(url, key string) string {
	return "DefaultEndpointsProtocol=http;AccountName=" + AzureAccount + ";AccountKey=" + key + ";BlobEndpoint=" + url + "/" + AzureAccount + ";"
}
