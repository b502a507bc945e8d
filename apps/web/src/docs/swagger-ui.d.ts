declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  // biome-ignore lint/style/noDefaultExport: it is the library's own.
  export { SwaggerUIBundle as default } from 'swagger-ui-dist';
}
