// Claimcheck.cs: verifies and redeems claim tokens.
//
//   var status = await Claimcheck.Redeem("clm_test_YOUR_TEST_TOKEN", "order-4711", ApplyOffer);
#nullable enable
using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

public static class Claimcheck
{
    private const string Url = "https://claims.example.com/api/v1/marketplace/claims/verify";
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(5);
    private static readonly HttpClient Http = new HttpClient { Timeout = Timeout };

    // Delay before each retry, unless Retry-After is longer.
    private static readonly double[] PausesS = { 0.5, 1 };
    private const double MaxPauseS = 5;

    // Redeems the claim and returns the status. Calls apply() only if the status is redeemed. On any
    // other status, give the person nothing. A retry with the same idempotencyKey also returns redeemed,
    // so apply() may run twice.
    public static async Task<string> Redeem(
        string token, string idempotencyKey, Func<JsonElement, Task> apply)
    {
        var claim = await Verify(token, idempotencyKey);
        var status = claim.GetProperty("status").GetString()!;
        if (status == "redeemed") await apply(claim);
        return status;
    }

    // Verifies the token. With an Idempotency-Key, also redeems the claim. Throws if there is no outcome.
    public static async Task<JsonElement> Verify(string token, string? idempotencyKey = null)
    {
        foreach (var pause in PausesS)
        {
            try
            {
                return await Ask(token, idempotencyKey);
            }
            catch (Exception error) when (RetryAfterS(error) <= MaxPauseS)
            {
                await Task.Delay(TimeSpan.FromSeconds(Math.Max(pause, RetryAfterS(error))));
            }
        }
        return await Ask(token, idempotencyKey);
    }

    private static async Task<JsonElement> Ask(string token, string? idempotencyKey)
    {
        var apiKey = Environment.GetEnvironmentVariable("CLAIMCHECK_API_KEY");
        if (string.IsNullOrEmpty(apiKey))
            throw new Failure("CLAIMCHECK_API_KEY is not set", double.MaxValue);
        var body = JsonSerializer.Serialize(new { token, redeem = idempotencyKey != null });
        using var request = new HttpRequestMessage(HttpMethod.Post, Url);
        request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", apiKey);
        if (idempotencyKey != null) request.Headers.Add("Idempotency-Key", idempotencyKey);
        using var response = await Http.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        var answer = JsonDocument.Parse(text.StartsWith("{") ? text : "{}").RootElement;
        var status = answer.TryGetProperty("status", out var member) ? member.ToString() : "";
        var code = (int)response.StatusCode;
        if (code == 200 && status != "") return answer;
        if (code == 404 && status == "not_found") return answer;
        var mayPass = code == 429 || code >= 500;
        var retryAfterS = response.Headers.RetryAfter?.Delta?.TotalSeconds ?? 0;
        var reason = $"HTTP {code}: {text.Substring(0, Math.Min(text.Length, 500))}";
        throw new Failure(reason, mayPass ? retryAfterS : double.MaxValue);
    }

    private static double RetryAfterS(Exception error) =>
        error is Failure failure ? failure.RetryAfterS : 0;

    private sealed class Failure : Exception
    {
        public readonly double RetryAfterS;

        public Failure(string message, double retryAfterS) : base(message) =>
            RetryAfterS = retryAfterS;
    }
}
