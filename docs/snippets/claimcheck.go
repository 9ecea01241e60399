// Package claimcheck verifies and redeems claim tokens.
//
//	status, err := claimcheck.Redeem("clm_test_YOUR_TEST_TOKEN", "order-4711", applyOffer)
package claimcheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

const (
	verifyURL = "https://claims.example.com/api/v1/marketplace/claims/verify"
	maxPause  = 5 * time.Second
	never     = maxPause + 1
)

var (
	client = &http.Client{Timeout: 5 * time.Second}
	// Delay before each retry, unless Retry-After is longer.
	pauses = []time.Duration{time.Second / 2, time.Second}
)

// Claim is the outcome of a call. If the status is not_found, the other fields are empty.
type Claim struct {
	Status  string `json:"status"`
	OfferID string `json:"offer_id"`
	Offer   string `json:"offer"`
	Via     string `json:"via"`
}

// Redeem redeems the claim and returns the status. It calls apply only if the status is redeemed. On
// any other status, give the person nothing. A retry with the same idempotencyKey also returns
// redeemed, so apply may run twice.
func Redeem(token, idempotencyKey string, apply func(Claim) error) (string, error) {
	claim, err := Verify(token, idempotencyKey)
	if err == nil && claim.Status == "redeemed" {
		err = apply(claim)
	}
	return claim.Status, err
}

// Verify verifies the token. With an Idempotency-Key, it also redeems the claim. An error means that
// there is no outcome.
func Verify(token, idempotencyKey string) (Claim, error) {
	for _, pause := range pauses {
		claim, retryAfter, err := ask(token, idempotencyKey)
		if err == nil || retryAfter > maxPause {
			return claim, err
		}
		if pause < retryAfter {
			pause = retryAfter
		}
		time.Sleep(pause)
	}
	claim, _, err := ask(token, idempotencyKey)
	return claim, err
}

// ask also returns the minimum delay before a retry. The delay is the constant "never" if a retry cannot help.
func ask(token, idempotencyKey string) (Claim, time.Duration, error) {
	apiKey := os.Getenv("CLAIMCHECK_API_KEY")
	if apiKey == "" {
		return Claim{}, never, errors.New("CLAIMCHECK_API_KEY is not set")
	}
	body, err := json.Marshal(map[string]any{"token": token, "redeem": idempotencyKey != ""})
	if err != nil {
		return Claim{}, never, err
	}
	request, err := http.NewRequest("POST", verifyURL, bytes.NewReader(body))
	if err != nil {
		return Claim{}, never, err
	}
	request.Header.Set("Authorization", "Bearer "+apiKey)
	request.Header.Set("Content-Type", "application/json")
	if idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	response, err := client.Do(request)
	if err != nil {
		return Claim{}, 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return Claim{}, 0, err
	}
	var claim Claim
	_ = json.Unmarshal(text, &claim) // claim.Status stays empty if the body has no status
	switch code := response.StatusCode; {
	case code == 200 && claim.Status != "", code == 404 && claim.Status == "not_found":
		return claim, 0, nil
	case code == 429, code >= 500:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		wait := time.Duration(seconds) * time.Second
		return Claim{}, wait, fmt.Errorf("HTTP %d: %.500s", code, text)
	default:
		return Claim{}, never, fmt.Errorf("HTTP %d: %.500s", code, text)
	}
}
