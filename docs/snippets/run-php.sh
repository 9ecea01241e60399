php -m | grep -qx curl || sudo apt-get install php-curl
test -e claimcheck.env || echo 'CLAIMCHECK_API_KEY=cck_test_YOUR_TEST_KEY' > claimcheck.env
set -a; . ./claimcheck.env; set +a
php -S localhost:8080 welcome.php
