using System;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

public static class Server
{
    public static Task Run() => new WebHostBuilder()
        .UseKestrel()
        .UseUrls("http://127.0.0.1:" + Environment.GetEnvironmentVariable("PORT"))
        .ConfigureLogging(logging => logging.AddConsole())
        .ConfigureServices(services => services.AddControllers())
        .Configure(app => app.UseRouting().UseEndpoints(endpoints => endpoints.MapControllers()))
        .Build()
        .RunAsync();
}
