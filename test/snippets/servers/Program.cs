using System.Threading.Tasks;

public static class Program
{
    public static Task Main(string[] args) => args[0] switch
    {
        "page" => Server.Run(),
        "wrong" => Wrong.Driver.Run(),
        _ => Driver.Run(),
    };
}
