// The steps of README.md on the LAN with the client that openapi-generator makes for Java.
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Base64;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.MetricsApi;
import org.openapitools.client.model.Metric;
import org.openapitools.client.model.SetMetricBody;
import org.openapitools.client.model.SetMetricBodyValue;

public class Readme {
  public static void main(String[] arguments) throws Exception {
    // Jackson reads each number as true otherwise.
    ObjectMapper mapper = ApiClient.createDefaultObjectMapper();
    mapper.configure(MapperFeature.ALLOW_COERCION_OF_SCALARS, false);
    ApiClient client = new ApiClient();
    client.setObjectMapper(mapper);
    client.updateBaseUri(System.getenv("DEVICE"));
    String credentials = "admin:" + System.getenv("DEVICE_PASSWORD");
    String basic = "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes());
    client.setRequestInterceptor(request -> request.header("Authorization", basic));
    MetricsApi metrics = new MetricsApi(client);

    List<Metric> total = metrics.listMetrics("total/*", null, null);
    System.out.println("rows " + (metrics.listMetrics(null, null, null).size() > total.size() && total.size() > 0));
    Object charge = value(metrics, "battery_1/state_of_charge");
    System.out.println("charge " + (charge instanceof Double && (Double) charge >= 0 && (Double) charge <= 100));
    SetMetricBodyValue thirty = new SetMetricBodyValue("30");
    SetMetricBody body = new SetMetricBody().topic("inverter_1/battery_reserve").value(thirty);
    System.out.println("set " + metrics.setMetric(body).getResult());
    System.out.println("reserve " + value(metrics, "inverter_1/battery_reserve"));
  }

  private static Object value(MetricsApi metrics, String topic) throws Exception {
    return metrics.listMetrics(topic, null, null).get(0).getValue().getActualInstance();
  }
}
