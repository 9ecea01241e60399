python3 -c 'import flask' || pip install flask
test -e claimcheck.env || echo 'CLAIMCHECK_API_KEY=cck_test_YOUR_TEST_KEY' > claimcheck.env
set -a; . ./claimcheck.env; set +a
python3 -m flask run --port 8080
