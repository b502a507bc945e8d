"""The steps of README.md with the client that openapi-generator makes for Python."""
from os import environ

import cloud_client
import device_client
from cloud_client.models.organization_choice import OrganizationChoice
from device_client.models.set_metric_body_value import SetMetricBodyValue

cloud = cloud_client.Configuration(host=environ["CLOUD"])
session = cloud_client.AccountsApi(cloud_client.ApiClient(cloud)).sign_in(
    cloud_client.SignInBody(
        email=environ["EMAIL"], password=environ["PASSWORD"], organization_id=OrganizationChoice("none")
    )
)
cloud.access_token = session.token
sites = cloud_client.SitesApi(cloud_client.ApiClient(cloud))
site = next(each for each in sites.list_sites() if each.id == int(environ["SITE"]))
access = sites.authorize_site(site.id)

proxy = device_client.Configuration(host=f"http://{access.host}", access_token=access.token)
proxy.api_key = {"siteId": str(access.site_id), "siteKey": access.site_key}
metrics = device_client.MetricsApi(device_client.ApiClient(proxy))


def value(topic):
    (row,) = metrics.list_metrics(topic=topic)
    return row.value.actual_instance


print("site", site.name)
print("rows", len(metrics.list_metrics()) > len(metrics.list_metrics(topic="total/*")) > 0)
print("charge", 0 <= value("battery_1/state_of_charge") <= 100)
body = device_client.SetMetricBody(topic="inverter_1/battery_reserve", value=SetMetricBodyValue("30"))
print("set", metrics.set_metric(body).result)
print("reserve", value("inverter_1/battery_reserve"))
home = device_client.Configuration(
    host=environ["DEVICE"], username="admin", password=environ["DEVICE_PASSWORD"]
)
print("home", len(device_client.MetricsApi(device_client.ApiClient(home)).list_metrics(topic="total/*")) > 0)
