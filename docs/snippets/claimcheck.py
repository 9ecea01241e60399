"""claimcheck.py: verifies and redeems claim tokens.

    status = redeem("clm_test_YOUR_TEST_TOKEN", "order-4711", apply_offer)
"""
import json
import os
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

VERIFY = "https://claims.example.com/api/v1/marketplace/claims/verify"
TIMEOUT_S = 5
PAUSES_S = (0.5, 1)  # delay before each retry, unless Retry-After is longer
MAX_PAUSE_S = 5


class Failure(Exception):
    retry_after_s = float("inf")


def redeem(token, idempotency_key, apply):
    """Redeems the claim and returns the status. Calls apply() only if the status is redeemed.

    On any other status, give the person nothing. A retry with the same idempotency_key also returns
    redeemed, so apply() may run twice.
    """
    claim = verify(token, idempotency_key)
    if claim["status"] == "redeemed":
        apply(claim)
    return claim["status"]


def verify(token, idempotency_key=None):
    """Verifies the token. With an Idempotency-Key, also redeems the claim. Raises if there is no outcome."""
    if not os.environ.get("CLAIMCHECK_API_KEY"):
        raise Failure("CLAIMCHECK_API_KEY is not set")
    for pause in PAUSES_S:
        try:
            return ask(token, idempotency_key)
        except (Failure, OSError, HTTPException) as error:
            wait = max(pause, getattr(error, "retry_after_s", 0))
            if wait > MAX_PAUSE_S:
                raise
            time.sleep(wait)
    return ask(token, idempotency_key)


def ask(token, idempotency_key):
    headers = {
        "Authorization": f"Bearer {os.environ['CLAIMCHECK_API_KEY']}",
        "Content-Type": "application/json",
    }
    if idempotency_key is not None:
        headers["Idempotency-Key"] = idempotency_key
    body = json.dumps({"token": token, "redeem": idempotency_key is not None})
    try:
        response = urlopen(Request(VERIFY, body.encode(), headers), timeout=TIMEOUT_S)
    except HTTPError as error:
        response = error
    with response:
        text = response.read().decode(errors="replace")
    answer = json.loads(text) if text.startswith("{") else {}
    if response.status == 200 and "status" in answer:
        return answer
    if response.status == 404 and answer.get("status") == "not_found":
        return answer
    failure = Failure(f"HTTP {response.status}: {text[:500]}")
    if response.status == 429 or response.status >= 500:
        seconds = response.headers.get("Retry-After", "")
        failure.retry_after_s = int(seconds) if seconds.isdigit() else 0
    raise failure
