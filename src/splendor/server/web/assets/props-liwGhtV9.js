function d(n,t,l,e){var u=e,r=!0,i=()=>(r&&(r=!1,u=e),u),a;a=n[t],a===void 0&&e!==void 0&&(a=i());var f;return f=()=>{var v=n[t];return v===void 0?i():(r=!0,v)},f}export{d as p};
