// The steps of README.md with the client that openapi-generator makes for C#.
using System;
using System.Collections.Generic;
using CloudClient.Api;
using CloudClient.Model;
using DeviceClient.Api;
using DeviceClient.Model;
using Newtonsoft.Json;

public static class Readme
{
    public static void Main()
    {
        var cloud = new CloudClient.Client.Configuration { BasePath = Env("CLOUD") };
        var body = new SignInBody(
            email: Env("EMAIL"), password: Env("PASSWORD"), organizationId: "none");
        cloud.AccessToken = new AccountsApi(cloud).SignIn(body).Token;
        // A required choice that may be null is no nullable type: null becomes 0, which no choice has.
        var client = new CloudClient.Client.ApiClient(cloud.BasePath);
        client.SerializerSettings.NullValueHandling = NullValueHandling.Ignore;
        var sites = new SitesApi(client, client, cloud);
        var id = long.Parse(Env("SITE"));
        Console.WriteLine("site " + sites.ListSites().Find(site => site.Id == id).Name);
        var access = sites.AuthorizeSite(id);

        var proxy = new DeviceClient.Client.Configuration
        {
            BasePath = "http://" + access.Host,
            AccessToken = access.Token,
            ApiKey = new Dictionary<string, string>
            {
                ["Site-Id"] = access.SiteId.ToString(),
                ["Site-Key"] = access.SiteKey,
            },
        };
        var metrics = new MetricsApi(proxy);
        var total = metrics.ListMetrics("total/*").Count;
        Console.WriteLine("rows " + (metrics.ListMetrics().Count > total && total > 0));
        var charge = Convert.ToDouble(Value(metrics, "battery_1/state_of_charge"));
        Console.WriteLine("charge " + (charge > 0 && charge <= 100));
        var thirty = new SetMetricBody("inverter_1/battery_reserve", "30");
        Console.WriteLine("set " + metrics.SetMetric(thirty).Result);
        Console.WriteLine("reserve " + Value(metrics, "inverter_1/battery_reserve"));

        var home = new DeviceClient.Client.Configuration
        {
            BasePath = Env("DEVICE"),
            Username = "admin",
            Password = Env("DEVICE_PASSWORD"),
        };
        Console.WriteLine("home " + (new MetricsApi(home).ListMetrics("total/*").Count > 0));
    }

    private static string Env(string name) => Environment.GetEnvironmentVariable(name);

    private static object Value(MetricsApi metrics, string topic) => metrics.ListMetrics(topic)[0].Value;
}
