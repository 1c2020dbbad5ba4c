package shop

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

// CancelPayment calls a payment off, and tells its status. One that is cancelled already is answered the same; one that is
// complete or over otherwise is refused with 409: fulfil that order, or ask a person.
func CancelPayment(id string) (string, error) {
	target := os.Getenv("RAPPEN_URL") + "/api/v1/intents/" + url.PathEscape(id) + "/cancel"
	request, err := http.NewRequest("POST", target, nil)
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("RAPPEN_API_KEY"))
	response, err := (&http.Client{Timeout: 20 * time.Second}).Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	// An intent's status is a word, a problem's a number.
	var answer struct {
		Status                any
		Code, Detail, TraceID string
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return "", err
	}
	if answer.Code != "" {
		return "", fmt.Errorf("%s: %s (traceId %s)", answer.Code, answer.Detail, answer.TraceID)
	}
	return fmt.Sprint(answer.Status), nil
}
