// Claimcheck.java: verifies and redeems claim tokens.
//
//   String status = Claimcheck.redeem("clm_test_YOUR_TEST_TOKEN", "order-4711", this::apply);
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** Needs Jackson 2, which comes with Spring Boot 3. In Jackson 3, the package is tools.jackson. */
public final class Claimcheck {
    private static final URI VERIFY =
            URI.create("https://claims.example.com/api/v1/marketplace/claims/verify");
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    /** Delay before each retry, unless Retry-After is longer. */
    private static final long[] PAUSES_MS = {500, 1_000};
    private static final long MAX_PAUSE_MS = 5_000;
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Redeems the claim and returns the status. Calls apply() only if the status is redeemed. On any
     * other status, give the person nothing. A retry with the same idempotencyKey also returns redeemed,
     * so apply() may run twice.
     */
    public static String redeem(String token, String idempotencyKey, Consumer<JsonNode> apply)
            throws IOException, InterruptedException {
        JsonNode claim = verify(token, idempotencyKey);
        String status = claim.path("status").asText();
        if (status.equals("redeemed")) apply.accept(claim);
        return status;
    }

    /**
     * Verifies the token. If idempotencyKey is not null, also redeems the claim. Throws if there is no
     * outcome.
     */
    public static JsonNode verify(String token, String idempotencyKey)
            throws IOException, InterruptedException {
        for (long pause : PAUSES_MS) {
            try {
                return ask(token, idempotencyKey);
            } catch (IOException error) {
                long retryAfter = error instanceof Failure failure ? failure.retryAfterMs : 0;
                if (retryAfter > MAX_PAUSE_MS) throw error;
                Thread.sleep(Math.max(pause, retryAfter));
            }
        }
        return ask(token, idempotencyKey);
    }

    private static JsonNode ask(String token, String idempotencyKey)
            throws IOException, InterruptedException {
        String apiKey = System.getenv("CLAIMCHECK_API_KEY");
        if (apiKey == null || apiKey.isEmpty())
            throw new IllegalStateException("CLAIMCHECK_API_KEY is not set");
        boolean redeem = idempotencyKey != null;
        String body = JSON.writeValueAsString(Map.of("token", token, "redeem", redeem));
        HttpRequest.Builder request = HttpRequest.newBuilder(VERIFY).timeout(TIMEOUT)
                .header("Authorization", "Bearer " + apiKey)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        if (redeem) request.header("Idempotency-Key", idempotencyKey);
        HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
        int code = response.statusCode();
        String text = response.body();
        JsonNode answer = JSON.readTree(text.startsWith("{") ? text : "{}");
        String status = answer.path("status").asText();
        if (code == 200 && !status.isEmpty()) return answer;
        if (code == 404 && status.equals("not_found")) return answer;
        boolean mayPass = code == 429 || code >= 500;
        long seconds = response.headers().firstValueAsLong("Retry-After").orElse(0);
        String reason = "HTTP " + code + ": " + text.substring(0, Math.min(text.length(), 500));
        throw new Failure(reason, mayPass ? 1_000 * seconds : Long.MAX_VALUE);
    }

    private static final class Failure extends IOException {
        final long retryAfterMs;

        Failure(String message, long retryAfterMs) {
            super(message);
            this.retryAfterMs = retryAfterMs;
        }
    }
}
