package shop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

// Payment is what the API answers: an intent, or a problem.
type Payment struct {
	ID, CheckoutURL       string
	Code, Detail, TraceID string
}

// CreatePayment creates the payment of an order. Keep its id with the order, and redirect the buyer: 303 to
// CheckoutURL. A repeated key returns the payment that it made first: a second attempt at an order takes a new key.
func CreatePayment(orderID string, attempt int, total float64) (*Payment, error) {
	body, err := json.Marshal(map[string]any{
		"amount":         total,
		"currency":       "CHF",
		"title":          "Order " + orderID,
		"idempotencyKey": fmt.Sprintf("order-%s-%d", orderID, attempt),
		"returnUrl":      "https://shop.example/orders/" + orderID,
	})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest("POST", os.Getenv("RAPPEN_URL")+"/api/v1/intents", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("RAPPEN_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := (&http.Client{Timeout: 20 * time.Second}).Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	payment := new(Payment)
	if err := json.NewDecoder(response.Body).Decode(payment); err != nil {
		return nil, err
	}
	if payment.Code != "" {
		return nil, fmt.Errorf("%s: %s (traceId %s)", payment.Code, payment.Detail, payment.TraceID)
	}
	return payment, nil
}
