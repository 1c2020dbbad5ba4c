package shop

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

// LoggedEvent is one of the list, as webhooks carry it.
type LoggedEvent struct {
	ID, Type string
	Sequence int
	Data     struct {
		Intent struct{ ID, Status, IdempotencyKey string }
	}
}

// CatchUp applies every event after the one with this id (empty: from the first), oldest first. Keep what it returns:
// it is where the next call goes on.
func CatchUp(after string, apply func(LoggedEvent) error) (string, error) {
	for {
		query := url.Values{"pageSize": {"100"}}
		if after != "" {
			query.Set("after", after)
		}
		request, err := http.NewRequest("GET", os.Getenv("RAPPEN_URL")+"/api/v1/events?"+query.Encode(), nil)
		if err != nil {
			return after, err
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("RAPPEN_API_KEY"))
		response, err := (&http.Client{Timeout: 20 * time.Second}).Do(request)
		if err != nil {
			return after, err
		}
		var page struct {
			Items                 []LoggedEvent
			HasMore               bool
			Code, Detail, TraceID string
		}
		err = json.NewDecoder(response.Body).Decode(&page)
		response.Body.Close()
		if err != nil {
			return after, err
		}
		if page.Code != "" {
			return after, fmt.Errorf("%s: %s (traceId %s)", page.Code, page.Detail, page.TraceID)
		}
		for _, event := range page.Items {
			if err := apply(event); err != nil {
				return after, err
			}
			after = event.ID
		}
		if !page.HasMore {
			return after, nil
		}
	}
}
