import 'swagger-ui-dist/swagger-ui.css';
import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';

/** The document of the server that the page comes from; `/docs/device` of a cloud shows that of devices. */
const url = location.pathname.endsWith('/device') ? '/openapi/device.json' : '/openapi.json';

SwaggerUIBundle({
  dom_id: '#root',
  url,
  deepLinking: true,
  // Of a hundred paths the library draws those in view: a list of groups is found and searched as a whole.
  docExpansion: 'none',
  // The device of the document is not the server of the page.
  supportedSubmitMethods: url === '/openapi.json' ? ['get', 'put', 'post', 'delete', 'patch'] : [],
});
