curl -sS https://claims.example.com/api/v1/marketplace/claims/verify \
  -H "Authorization: Bearer $CLAIMCHECK_API_KEY" \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: "order-4713"' \
  -d '{"token": "clm_test_YOUR_TEST_TOKEN", "redeem": true}'
