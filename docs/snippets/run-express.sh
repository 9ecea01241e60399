npm install express
test -e claimcheck.env || echo 'CLAIMCHECK_API_KEY=cck_test_YOUR_TEST_KEY' > claimcheck.env
node --env-file=claimcheck.env welcome.mjs
