import { mount } from "svelte";
import App from "./App.svelte";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/boards.css";
import "./styles/play.css";
import "./styles/panels.css";
import "./styles/people.css";
import "./styles/analyse.css";
import "./styles/lab.css";
import "./styles/class.css";
import "./styles/learn.css";
import "./styles/course.css";
import "./styles/arena.css";
import "./styles/phone.css";

const target = document.getElementById("app");
if (target) mount(App, { target });
