package shop

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Event is what a delivery says. Add the fields that you need.
type Event struct {
	Type     string
	Sequence int
	Data     struct {
		Intent struct{ ID, Status string }
	}
}

// VerifyWebhook returns the event of a delivery, or an error when it is not ours, was changed, or is older than
// five minutes. The secret is whsec_…, as the endpoint's creation showed it; body holds the bytes as they came.
func VerifyWebhook(secret string, headers http.Header, body []byte) (*Event, error) {
	id, sentAt := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return nil, errors.New("webhook: too old")
	}

	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) < 24 {
		return nil, errors.New("webhook: the secret is missing")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + sentAt + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(given), []byte(expected)) {
			event := new(Event)
			return event, json.Unmarshal(body, event)
		}
	}
	return nil, errors.New("webhook: wrong signature")
}
