import { describe, expect, it } from "vitest";
import { Basket } from "./basket";

describe("Basket", () => {
  it("adds up what is in it", () => {
    const basket = new Basket();
    basket.put("rope", 250, 2);
    basket.put("anchor", 9900);
    expect(basket.total).toBe(10400);
  });

  it("takes a line out when its count falls to zero", () => {
    const basket = new Basket();
    basket.put("rope", 250, 2);
    basket.put("rope", 250, -2);
    expect(basket.total).toBe(0);
  });

  it("starts empty when the saved state is broken", () => {
    localStorage.setItem("basket", "{not json");
    const basket = new Basket();
    basket.restore();
    expect(basket.total).toBe(0);
  });
});
