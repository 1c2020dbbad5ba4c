package shop

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Standing is a payment as it stands now. Payment is nil until the buyer has picked an asset; then Missing is what has yet
// to arrive. Fulfil once Status is settled, and not because nothing is missing.
type Standing struct {
	ID, Status string
	Payment    *struct{ Network, Received, Missing string }
}

// ReadPayment returns the payment with this id.
func ReadPayment(id string) (*Standing, error) {
	target := os.Getenv("RAPPEN_URL") + "/api/v1/intents/" + url.PathEscape(id)
	request, err := http.NewRequest("GET", target, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("RAPPEN_API_KEY"))
	response, err := (&http.Client{Timeout: 20 * time.Second}).Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	decoder := json.NewDecoder(response.Body)
	if response.StatusCode != http.StatusOK {
		var problem struct{ Code, Detail, TraceID string }
		if err := decoder.Decode(&problem); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s: %s (traceId %s)", problem.Code, problem.Detail, problem.TraceID)
	}
	var standing Standing
	if err := decoder.Decode(&standing); err != nil {
		return nil, err
	}
	return &standing, nil
}
