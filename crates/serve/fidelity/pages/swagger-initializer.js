window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: new URL("openapi.json", window.location.href).href, dom_id: "#swagger-ui", deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], plugins: [SwaggerUIBundle.plugins.DownloadUrl], layout: "StandaloneLayout",
  });
};
