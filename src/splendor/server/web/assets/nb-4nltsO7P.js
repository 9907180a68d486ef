import{en as o}from"./en-CAfqWnSH.js";const r=o;export{r as nb};
