# views.py; in urls.py: path("welcome", views.welcome)
# /welcome is the path of your redemption link. In urls.py, the path has no leading slash.
import logging
import uuid

from django.http import HttpResponse
from django.template import engines
from django.views.decorators.http import require_http_methods

from .claimcheck import redeem, verify

PAGES = {
    "redeemed": (200, "The offer is yours."),
    "already_redeemed": (200, "This offer has already been redeemed."),
    "not_found": (404, "This link is not valid."),
}
FORM = """<form method="post" action="?">{% csrf_token %}
  <input type="hidden" name="token" value="{{ token }}">
  <input type="hidden" name="attempt" value="{{ attempt }}">
  <button>Get {{ claim.offer }}</button>
</form>"""


@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request):
    try:
        code, body = redeem_once(request) if request.method == "POST" else show(request)
    except Exception as error:  # the token may still be valid
        logging.exception(error)
        code, body = 503, "Please try again in a moment."
    response = HttpResponse(f"<!doctype html><title>Your offer</title>{body}", status=code)
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "strict-origin"
    return response


def show(request):
    """Shows the offer with a button and redeems nothing: link scanners come here too."""
    token = request.GET.get("claim")
    if not token:
        return PAGES["not_found"]
    claim = verify(token)
    if claim["status"] != "valid":
        return PAGES[claim["status"]]
    values = {"claim": claim, "token": token, "attempt": uuid.uuid4()}
    return 200, engines["django"].from_string(FORM).render(values, request)


def redeem_once(request):
    """Redeems the claim. A second click sends the same attempt ID and gets the same response."""
    token, attempt = request.POST.get("token"), request.POST.get("attempt")
    if not token or not attempt:
        return PAGES["not_found"]
    status = redeem(token, attempt, lambda claim: apply_offer(claim["offer_id"], attempt))
    return PAGES[status]


def apply_offer(offer_id, attempt):
    """Replace this. If called twice with the same attempt, it must apply the offer only once."""
    print(f"apply {offer_id} for {attempt}", flush=True)
