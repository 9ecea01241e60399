#!/bin/sh
# Verify: ./claimcheck.sh clm_test_YOUR_TEST_TOKEN
# Redeem: ./claimcheck.sh clm_test_YOUR_TEST_TOKEN order-4711
# Exit status: 0 redeemed (apply the offer) or valid, 3 already redeemed,
# 4 no such claim (reject), 1 no outcome (standard error says why).
set -eu

redeem=false
[ $# -gt 1 ] && redeem=true
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# curl retries after a lost connection, a timeout, 408, 429, 500, 502, 503 or 504, and respects Retry-After.
code=$(curl -sS https://claims.example.com/api/v1/marketplace/claims/verify \
  --max-time 5 --retry 2 --retry-all-errors --retry-max-time 10 \
  -H "Authorization: Bearer ${CLAIMCHECK_API_KEY:?}" \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: ${2-}" \
  -d "{\"token\": \"$1\", \"redeem\": $redeem}" \
  -o "$answer" -w '%{http_code}') || exit 1

case "$code $(cat "$answer")" in
  '200 {"status":"redeemed",'*) echo redeemed ;;
  '200 {"status":"valid",'*) echo valid ;;
  '200 {"status":"already_redeemed",'*) echo already_redeemed; exit 3 ;;
  '404 {"status":"not_found"}') echo not_found; exit 4 ;;
  *) echo "HTTP $code: $(cat "$answer")" >&2; exit 1 ;;
esac
