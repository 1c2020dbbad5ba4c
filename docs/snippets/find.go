package shop

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Found is a payment of the list, as far as this needs it.
type Found struct{ ID, Status, IdempotencyKey string }

// FindPayment returns the payment that was created with this key, or nil: for an order whose answer got lost.
func FindPayment(idempotencyKey string) (*Found, error) {
	query := url.Values{"idempotencyKey": {idempotencyKey}}
	request, err := http.NewRequest("GET", os.Getenv("RAPPEN_URL")+"/api/v1/intents?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("RAPPEN_API_KEY"))
	response, err := (&http.Client{Timeout: 20 * time.Second}).Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var page struct {
		Items                 []Found
		Code, Detail, TraceID string
	}
	if err := json.NewDecoder(response.Body).Decode(&page); err != nil {
		return nil, err
	}
	if page.Code != "" {
		return nil, fmt.Errorf("%s: %s (traceId %s)", page.Code, page.Detail, page.TraceID)
	}
	if len(page.Items) == 0 {
		return nil, nil
	}
	return &page.Items[0], nil
}
