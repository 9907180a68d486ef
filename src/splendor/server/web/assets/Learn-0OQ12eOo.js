import{h as o,y as r}from"./disclose-version-rxTazjkV.js";import"./legacy-CnPfbyHE.js";var t=r('<main id="content"></main>');function e(a){var n=t();o(a,n)}export{e as default};
