// WelcomeController.java; /welcome is the path of your redemption link.
import com.fasterxml.jackson.databind.JsonNode;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

@RestController
public class WelcomeController {
    private static final Logger LOG = Logger.getLogger("welcome");

    /** Shows the offer with a button and redeems nothing: link scanners come here too. */
    @GetMapping("/welcome")
    public ResponseEntity<String> show(
            @RequestParam(name = "claim", defaultValue = "") String token) throws Exception {
        if (token.isEmpty()) return pageOf("not_found");
        JsonNode claim = Claimcheck.verify(token, null);
        String status = claim.path("status").asText();
        if (!status.equals("valid")) return pageOf(status);
        String offer = HtmlUtils.htmlEscape(claim.path("offer").asText());
        return page(200, """
                <form method="post" action="?">
                  <input type="hidden" name="token" value="%s">
                  <input type="hidden" name="attempt" value="%s">
                  <button>Get %s</button>
                </form>""".formatted(HtmlUtils.htmlEscape(token), UUID.randomUUID(), offer));
    }

    /** Redeems the claim. A second click sends the same attempt ID and gets the same response. */
    @PostMapping("/welcome")
    public ResponseEntity<String> redeem(
            @RequestParam(name = "token", defaultValue = "") String token,
            @RequestParam(name = "attempt", defaultValue = "") String attempt)
            throws Exception {
        if (token.isEmpty() || attempt.isEmpty()) return pageOf("not_found");
        return pageOf(Claimcheck.redeem(token, attempt, claim -> applyOffer(claim, attempt)));
    }

    /** A failure does not mean that the token is invalid. */
    @ExceptionHandler(Exception.class)
    public ResponseEntity<String> failed(Exception failure) {
        LOG.log(Level.SEVERE, "No outcome for a claim", failure);
        return page(503, "Please try again in a moment.");
    }

    /** Replace this. If called twice with the same attempt, it must apply the offer only once. */
    private void applyOffer(JsonNode claim, String attempt) {
        LOG.info("apply %s for %s".formatted(claim.path("offer_id").asText(), attempt));
    }

    private static ResponseEntity<String> pageOf(String status) {
        return switch (status) {
            case "redeemed" -> page(200, "The offer is yours.");
            case "already_redeemed" -> page(200, "This offer has already been redeemed.");
            case "not_found" -> page(404, "This link is not valid.");
            default -> throw new IllegalStateException(status);
        };
    }

    private static ResponseEntity<String> page(int code, String body) {
        return ResponseEntity.status(code)
                .contentType(MediaType.parseMediaType("text/html;charset=utf-8"))
                .header("Cache-Control", "no-store")
                .header("Referrer-Policy", "strict-origin")
                .body("<!doctype html><title>Your offer</title>" + body);
    }
}
