"""What the browser tests share: visitors and their hands, pages and their words."""
