import{ac as a}from"./disclose-version-rxTazjkV.js";a();
