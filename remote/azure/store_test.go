package azure_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"

	"github.com/seed03b80dae/blosc2/internal/storetest"
	"github.com/seed03b80dae/blosc2/remote/azure"
)

var tested = storetest.Driver{
	Base:    "az://container",
	Start:   start,
	Connect: connect,
	Denied:  denied,
	Reads: func(r *http.Request) bool {
		return r.Method == http.MethodGet && r.URL.Query().Get("comp") == ""
	},
	Puts: func(r *http.Request) bool { return r.URL.Query().Get("comp") == "block" },
	Completes: func(r *http.Request) bool {
		return r.Method == http.MethodPut && r.URL.Query().Get("comp") == "blocklist"
	},
	Version: "ETag",
	Stays:   true,
}

func TestStore(t *testing.T) { storetest.Run(t, tested) }

func BenchmarkStore(b *testing.B) { storetest.Benchmark(b, tested) }

func TestCommand(t *testing.T) { storetest.RunCommand(t, tested) }

// start starts azurite, with one container.
func start(t testing.TB, _ string) string {
	t.Helper()
	url := storetest.Azurite(t)
	client, err := service.NewClientFromConnectionString(storetest.AzureConnection(url, storetest.AzureKey), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateContainer(context.Background(), "container", nil); err != nil {
		t.Fatal(err)
	}
	return url
}

// connect connects by the settings in the environment.
func connect(t testing.TB, address string) storetest.Store {
	t.Helper()
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", storetest.AzureConnection(address, storetest.AzureKey))
	return fromEnv(t)
}

func fromEnv(t testing.TB) *azure.Store {
	t.Helper()
	s, err := azure.FromEnv()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// denied returns stores with a wrong key, and without one.
func denied(t testing.TB, address string) map[string]storetest.Store {
	all := map[string]storetest.Store{}
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", storetest.AzureConnection(address, strings.Replace(storetest.AzureKey, "E", "A", 1)))
	all["a wrong key"] = fromEnv(t)
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", "")
	t.Setenv("AZURE_STORAGE_ACCOUNT", storetest.AzureAccount)
	t.Setenv("AZURE_STORAGE_SERVICE_ENDPOINT", address+"/"+storetest.AzureAccount)
	t.Setenv("AZURE_STORAGE_SAS_TOKEN", "?sv=2021-08-06&ss=b&srt=sco&sp=r&se=2020-01-01T00%3A00%3A00Z&sig=AAAA")
	all["an expired signature"] = fromEnv(t)
	return all
}
