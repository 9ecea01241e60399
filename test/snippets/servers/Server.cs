using System;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

public static class Server
{
    public static void Main() => new WebHostBuilder()
        .UseKestrel()
        .UseUrls("http://127.0.0.1:" + Environment.GetEnvironmentVariable("PORT"))
        .ConfigureLogging(logging => logging.AddConsole())
        .ConfigureServices(services => services.AddControllers())
        .Configure(app => app.UseRouting().UseEndpoints(endpoints => endpoints.MapControllers()))
        .Build()
        .Run();
}
