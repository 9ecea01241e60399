using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Threading.Tasks;

public static class Driver
{
    public static Task Run()
    {
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine()) _ = Answer(line);
        return Task.CompletedTask;
    }

    private static async Task Answer(string line)
    {
        var call = JsonDocument.Parse(line).RootElement;
        var token = call.GetProperty("token").GetString()!;
        var applied = new List<string>();
        var end = new Dictionary<string, object> { ["id"] = call.GetProperty("id").GetInt32(), ["applied"] = applied };
        try
        {
            end["status"] = call.TryGetProperty("key", out var key)
                ? await Claimcheck.Redeem(token, key.GetString()!, claim =>
                {
                    applied.Add(claim.GetProperty("offer_id").GetString()!);
                    return Task.CompletedTask;
                })
                : (await Claimcheck.Verify(token)).GetProperty("status").GetString()!;
        }
        catch (Exception error)
        {
            end["error"] = error.Message;
        }
        Console.WriteLine(JsonSerializer.Serialize(end));
    }
}
