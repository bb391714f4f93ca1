import { VitePWA } from "vite-plugin-pwa";
export default { plugins: [VitePWA({ registerType: "autoUpdate", injectRegister: "auto", workbox: { globPatterns: ["**/*.{js,css,html,svg,json}"] }, manifest: { name: "Works without a network", icons: [{ src: "pictures/1.svg", sizes: "any", type: "image/svg+xml" }] } })] };
