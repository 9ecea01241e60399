package main

import (
	"bufio"
	"encoding/json"
	"os"

	"example.com/right/claimcheck"
)

type call struct {
	ID    int    `json:"id"`
	Token string `json:"token"`
	Key   string `json:"key"`
}

type end struct {
	ID      int      `json:"id"`
	Status  string   `json:"status,omitempty"`
	Error   string   `json:"error,omitempty"`
	Applied []string `json:"applied"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var c call
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			panic(err)
		}
		go answer(c)
	}
}

func answer(c call) {
	e := end{ID: c.ID, Applied: []string{}}
	var err error
	if c.Key == "" {
		var claim claimcheck.Claim
		claim, err = claimcheck.Verify(c.Token, "")
		e.Status = claim.Status
	} else {
		e.Status, err = claimcheck.Redeem(c.Token, c.Key, func(claim claimcheck.Claim) error {
			e.Applied = append(e.Applied, claim.OfferID)
			return nil
		})
	}
	if err != nil {
		e.Error = err.Error()
	}
	// Encode writes each line in a single call, so concurrent lines do not mix.
	if err := json.NewEncoder(os.Stdout).Encode(e); err != nil {
		panic(err)
	}
}
