import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;

public final class Driver {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonNode call = JSON.readTree(line);
            new Thread(() -> answer(call)).start();
        }
    }

    private static void answer(JsonNode call) {
        ObjectNode end = JSON.createObjectNode();
        end.set("id", call.get("id"));
        ArrayNode applied = end.putArray("applied");
        String token = call.get("token").asText();
        try {
            end.put("status", call.has("key")
                    ? Claimcheck.redeem(token, call.get("key").asText(), claim -> applied.add(claim.get("offer_id")))
                    : Claimcheck.verify(token, null).get("status").asText());
        } catch (Exception error) {
            end.put("error", error.toString());
        }
        System.out.println(end);
    }
}
