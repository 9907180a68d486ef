import{h as t,y as m}from"./disclose-version-rxTazjkV.js";import"./legacy-CnPfbyHE.js";var n=m('<main id="content"></main>');function e(a){var o=n();t(a,o)}export{e as default};
