// The steps of README.md with the client that openapi-generator makes for Go.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"

	cloud "heliograph/cloud"
	device "heliograph/device"
)

func must[T any](value T, _ any, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func text(row device.Metric) string {
	value := row.Value.Get()
	switch {
	case value == nil:
		return ""
	case value.String != nil:
		return *value.String
	case value.Float64 != nil:
		return strconv.FormatFloat(*value.Float64, 'f', -1, 64)
	}
	return ""
}

func main() {
	background := context.Background()
	none := "none"
	config := cloud.NewConfiguration()
	config.Servers = cloud.ServerConfigurations{{URL: os.Getenv("CLOUD")}}
	client := cloud.NewAPIClient(config)
	body := cloud.NewSignInBody()
	body.SetEmail(os.Getenv("EMAIL"))
	body.SetPassword(os.Getenv("PASSWORD"))
	body.SetOrganizationId(cloud.OrganizationChoice{String: &none})
	session := must(client.AccountsAPI.SignIn(background).SignInBody(*body).Execute())
	signedIn := context.WithValue(background, cloud.ContextAccessToken, session.Token)
	id, err := strconv.ParseInt(os.Getenv("SITE"), 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	for _, site := range must(client.SitesAPI.ListSites(signedIn).Execute()) {
		if site.Id == id {
			fmt.Println("site", site.GetName())
		}
	}
	access := must(client.SitesAPI.AuthorizeSite(signedIn, id).Execute())

	proxyConfig := device.NewConfiguration()
	proxyConfig.Servers = device.ServerConfigurations{{URL: "http://" + access.Host}}
	proxy := device.NewAPIClient(proxyConfig)
	through := context.WithValue(background, device.ContextAccessToken, access.Token)
	through = context.WithValue(through, device.ContextAPIKeys, map[string]device.APIKey{
		"siteId":  {Key: strconv.FormatInt(access.SiteId, 10)},
		"siteKey": {Key: access.SiteKey},
	})
	rows := func(topic string) []device.Metric {
		return must(proxy.MetricsAPI.ListMetrics(through).Topic(topic).Execute())
	}
	total := len(rows("total/*"))
	fmt.Println("rows", len(must(proxy.MetricsAPI.ListMetrics(through).Execute())) > total && total > 0)
	charge, err := strconv.ParseFloat(text(rows("battery_1/state_of_charge")[0]), 64)
	fmt.Println("charge", err == nil && charge >= 0 && charge <= 100)
	thirty := "30"
	set := device.NewSetMetricBody("inverter_1/battery_reserve", device.SetMetricBodyValue{String: &thirty})
	fmt.Println("set", must(proxy.MetricsAPI.SetMetric(through).SetMetricBody(*set).Execute()).Result)
	fmt.Println("reserve", text(rows("inverter_1/battery_reserve")[0]))

	homeConfig := device.NewConfiguration()
	homeConfig.Servers = device.ServerConfigurations{{URL: os.Getenv("DEVICE")}}
	password := context.WithValue(background, device.ContextBasicAuth, device.BasicAuth{
		UserName: "admin",
		Password: os.Getenv("DEVICE_PASSWORD"),
	})
	home := must(device.NewAPIClient(homeConfig).MetricsAPI.ListMetrics(password).Topic("total/*").Execute())
	fmt.Println("home", len(home) > 0)
}
