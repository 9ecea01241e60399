// WelcomeController.cs; /welcome is the path of your redemption link.
#nullable enable
using System;
using System.Collections.Generic;
using System.Net;
using System.Text.Json;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.Logging;

[Route("/welcome")]
public class WelcomeController : ControllerBase
{
    private static readonly Dictionary<string, (int, string)> Pages =
        new Dictionary<string, (int, string)>
    {
        ["redeemed"] = (200, "The offer is yours."),
        ["already_redeemed"] = (200, "This offer has already been redeemed."),
        ["not_found"] = (404, "This link is not valid."),
    };
    private readonly ILogger<WelcomeController> log;

    public WelcomeController(ILogger<WelcomeController> log) => this.log = log;

    // Shows a button and redeems nothing: link scanners come here too.
    [HttpGet]
    public Task<IActionResult> Show(
        [FromQuery(Name = "claim")] string? claim) => Answer(async () =>
    {
        if (string.IsNullOrEmpty(claim)) return Pages["not_found"];
        var found = await Claimcheck.Verify(claim);
        var status = found.GetProperty("status").GetString()!;
        if (status != "valid") return Pages[status];
        return (200, $@"<form method=""post"" action=""?"">
            <input type=""hidden"" name=""token"" value=""{WebUtility.HtmlEncode(claim)}"">
            <input type=""hidden"" name=""attempt"" value=""{Guid.NewGuid()}"">
            <button>Get {WebUtility.HtmlEncode(found.GetProperty("offer").GetString())}</button>
        </form>");
    });

    // Redeems the claim. A second click sends the same attempt ID and gets the same response.
    [HttpPost]
    public Task<IActionResult> Redeem(
        [FromForm] string? token, [FromForm] string? attempt) => Answer(async () =>
    {
        if (string.IsNullOrEmpty(token)) return Pages["not_found"];
        if (string.IsNullOrEmpty(attempt)) return Pages["not_found"];
        return Pages[await Claimcheck.Redeem(token, attempt, claim => Apply(claim, attempt))];
    });

    // Replace this. If called twice with the same attempt, it must apply the offer only once.
    private Task Apply(JsonElement claim, string attempt)
    {
        var offerId = claim.GetProperty("offer_id").GetString();
        log.LogInformation("apply {Offer} for {Attempt}", offerId, attempt);
        return Task.CompletedTask;
    }

    private async Task<IActionResult> Answer(Func<Task<(int, string)>> page)
    {
        Response.Headers["Cache-Control"] = "no-store";
        Response.Headers["Referrer-Policy"] = "strict-origin";
        var (code, body) = (503, "Please try again in a moment.");
        try
        {
            (code, body) = await page();
        }
        catch (Exception failure)
        {
            log.LogError(failure, "No outcome for a claim"); // the token may still be valid
        }
        return new ContentResult
        {
            StatusCode = code,
            ContentType = "text/html; charset=utf-8",
            Content = $"<!doctype html><title>Your offer</title>{body}",
        };
    }
}
