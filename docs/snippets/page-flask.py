# app.py; /welcome is the path of your redemption link.
# Flask's own server logs each URL, including the token. In production, keep query strings out of logs.
import logging
import uuid

from flask import Blueprint, Flask, make_response, render_template_string, request

from claimcheck import redeem, verify

PAGES = {
    "redeemed": (200, "The offer is yours."),
    "already_redeemed": (200, "This offer has already been redeemed."),
    "not_found": (404, "This link is not valid."),
}
FORM = """<form method="post" action="?">
  <input type="hidden" name="token" value="{{ token }}">
  <input type="hidden" name="attempt" value="{{ attempt }}">
  <button>Get {{ claim.offer }}</button>
</form>"""

welcome = Blueprint("welcome", __name__)


@welcome.get("/welcome")
def show():
    """Shows the offer with a button and redeems nothing: link scanners come here too."""
    token = request.args.get("claim")
    if not token:
        return page(*PAGES["not_found"])
    claim = verify(token)
    if claim["status"] != "valid":
        return page(*PAGES[claim["status"]])
    values = {"claim": claim, "token": token, "attempt": uuid.uuid4()}
    return page(200, render_template_string(FORM, **values))


@welcome.post("/welcome")
def redeem_once():
    """Redeems the claim. A second click sends the same attempt ID and gets the same response."""
    token, attempt = request.form.get("token"), request.form.get("attempt")
    if not token or not attempt:
        return page(*PAGES["not_found"])
    status = redeem(token, attempt, lambda claim: apply_offer(claim["offer_id"], attempt))
    return page(*PAGES[status])


@welcome.errorhandler(Exception)
def failed(error):
    """A failure does not mean that the token is invalid."""
    logging.exception(error)
    return page(503, "Please try again in a moment.")


def apply_offer(offer_id, attempt):
    """Replace this. If called twice with the same attempt, it must apply the offer only once."""
    print(f"apply {offer_id} for {attempt}", flush=True)


def page(code, body):
    response = make_response(f"<!doctype html><title>Your offer</title>{body}", code)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "strict-origin"
    return response


app = Flask(__name__)
app.register_blueprint(welcome)
